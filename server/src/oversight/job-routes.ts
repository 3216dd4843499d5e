import { actorOf } from "../access/authenticate.ts";
import type { ChangeDependencies } from "../audit/audit.ts";
import type { Listener } from "../http/listener.ts";
import { pathIds, uuidOr } from "../http/path-ids.ts";
import { EmptyBody } from "../http/validation.ts";
import { Job } from "./job-schemas.ts";
import { retryJob } from "./jobs.ts";
import { presentJob } from "./present.ts";

export async function jobRoutes(app: Listener, options: ChangeDependencies): Promise<void> {
  app.post(
    "/jobs/:jobId/retry",
    {
      schema: {
        tags: ["Overview"],
        operationId: "retryJob",
        summary: "Try a mail or a registry call again now",
        description:
          "For the stuck jobs of the overview. One that was given up is tried once more. One that is being tried right now is " +
          "left alone.",
        params: pathIds("jobId"),
        body: EmptyBody,
        response: { 200: Job },
      },
      config: { errors: ["JOB_NOT_FOUND"] },
    },
    async (request) =>
      presentJob(await retryJob(options, uuidOr("JOB_NOT_FOUND", request.params.jobId), actorOf(request))),
  );
}
