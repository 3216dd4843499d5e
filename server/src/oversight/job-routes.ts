import { actorOf } from "../access/authenticate.ts";
import type { Listener } from "../http/listener.ts";
import { pathIds, uuidOr } from "../http/path-ids.ts";
import { NoBody } from "../http/validation.ts";
import { Job } from "./job-schemas.ts";
import { type JobDependencies, presentJob, retryJob } from "./jobs.ts";

export async function jobRoutes(app: Listener, options: JobDependencies): Promise<void> {
  app.post(
    "/jobs/:jobId/retry",
    {
      schema: {
        tags: ["Overview"],
        summary: "Try a mail or a registry call again now",
        description:
          "For the stuck jobs of the overview. One that was given up is tried once more. One that is being tried right now is " +
          "left alone.",
        params: pathIds("jobId"),
        body: NoBody,
        response: { 200: Job },
      },
      config: { errors: ["JOB_NOT_FOUND"] },
    },
    async (request) =>
      presentJob(await retryJob(options, uuidOr("JOB_NOT_FOUND", request.params.jobId), actorOf(request))),
  );
}
