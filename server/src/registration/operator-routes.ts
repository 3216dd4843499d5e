import { Type } from "typebox";
import { actorOf } from "../access/authenticate.ts";
import type { ChangeDependencies } from "../audit/audit.ts";
import { fail } from "../http/errors.ts";
import type { Listener } from "../http/listener.ts";
import { byDateAndId, type Cursors, pageOf, pageQuery } from "../http/pagination.ts";
import { pathIds, uuidOr } from "../http/path-ids.ts";
import { presentApplication } from "./present.ts";
import { findApplication, listApplications } from "./queries.ts";
import { approve, reject } from "./review.ts";
import { Application, ApplicationStatusSchema, ApproveRequest, RejectRequest } from "./schemas.ts";

export interface RegistrationOperatorRouteOptions extends ChangeDependencies {
  readonly cursors: Cursors;
}

export async function registrationOperatorRoutes(
  app: Listener,
  options: RegistrationOperatorRouteOptions,
): Promise<void> {
  const { db, cursors } = options;
  const applicationId = (params: { applicationId: string }) => uuidOr("APPLICATION_NOT_FOUND", params.applicationId);

  app.get(
    "/applications",
    {
      schema: {
        tags: ["Applications"],
        operationId: "listApplications",
        summary: "List applications, newest first",
        querystring: Type.Object(
          { ...pageQuery, status: Type.Optional(ApplicationStatusSchema) },
          { additionalProperties: false },
        ),
        response: { 200: pageOf(Application) },
      },
    },
    async ({ query }) => {
      const { status = null } = query;
      return cursors.readPage(query, {
        scope: ["operator", "applications", status],
        list: (after, count) => listApplications(db, status, after, count),
        positionOf: ({ createDate, applicationId: id }) => byDateAndId({ createDate, id }),
        present: presentApplication,
      });
    },
  );

  app.get(
    "/applications/:applicationId",
    {
      schema: {
        tags: ["Applications"],
        operationId: "getApplication",
        summary: "Read an application",
        params: pathIds("applicationId"),
        response: { 200: Application },
      },
      config: { errors: ["APPLICATION_NOT_FOUND"] },
    },
    async ({ params }) =>
      presentApplication((await findApplication(db, applicationId(params))) ?? fail("APPLICATION_NOT_FOUND")),
  );

  app.post(
    "/applications/:applicationId/approve",
    {
      schema: {
        tags: ["Applications"],
        operationId: "approveApplication",
        summary: "Approve an application",
        description: "Makes the merchant ACTIVE, whitelists its primary domain and tells it by email.",
        params: pathIds("applicationId"),
        body: Type.Optional(ApproveRequest),
        response: { 200: Application },
      },
      config: {
        errors: ["APPLICATION_NOT_FOUND", "APPLICATION_ALREADY_DECIDED", "PUBLIC_KEY_RETIRED", "PUBLIC_KEY_IN_USE"],
      },
    },
    async (request) => {
      const { displayName } = request.body ?? {};
      return presentApplication(await approve(options, applicationId(request.params), displayName, actorOf(request)));
    },
  );

  app.post(
    "/applications/:applicationId/reject",
    {
      schema: {
        tags: ["Applications"],
        operationId: "rejectApplication",
        summary: "Reject an application",
        description: "Tells the applicant the reason by email. The same key may apply again.",
        params: pathIds("applicationId"),
        body: RejectRequest,
        response: { 200: Application },
      },
      config: { errors: ["APPLICATION_NOT_FOUND", "APPLICATION_ALREADY_DECIDED"] },
    },
    async (request) => {
      const { reason } = request.body;
      return presentApplication(await reject(options, applicationId(request.params), reason, actorOf(request)));
    },
  );
}
