import { Type } from "typebox";
import type { Queryable } from "../../db/pool.ts";
import { fail } from "../../http/errors.ts";
import { ReasonBody } from "../../http/fields.ts";
import type { Listener } from "../../http/listener.ts";
import { byDateAndId, type Cursors, pageOf, pageQuery } from "../../http/pagination.ts";
import { pathIds, uuidOr } from "../../http/path-ids.ts";
import { actorOf } from "../authenticate.ts";
import type { Approvals } from "./gate.ts";
import { presentApproval } from "./present.ts";
import { findApproval, listApprovals } from "./queries.ts";
import { Approval, ApprovalStatusSchema } from "./schemas.ts";

export interface ApprovalRouteOptions {
  readonly db: Queryable;
  readonly cursors: Cursors;
  readonly approvals: Approvals;
}

const idOf = (params: { approvalId: string }) => uuidOr("APPROVAL_NOT_FOUND", params.approvalId);

export async function approvalRoutes(app: Listener, { db, cursors, approvals }: ApprovalRouteOptions): Promise<void> {
  app.get(
    "/approvals",
    {
      schema: {
        tags: ["Approvals"],
        operationId: "listApprovals",
        summary: "List changes that need a second person, newest first",
        querystring: Type.Object(
          { ...pageQuery, status: Type.Optional(ApprovalStatusSchema) },
          { additionalProperties: false },
        ),
        response: { 200: pageOf(Approval) },
      },
    },
    async ({ query }) => {
      const { status = null } = query;
      await approvals.expireOverdue();
      return cursors.readPage(query, {
        scope: ["operator", "approvals", status],
        list: (after, count) => listApprovals(db, status, after, count),
        positionOf: byDateAndId,
        present: presentApproval,
      });
    },
  );

  app.get(
    "/approvals/:approvalId",
    {
      schema: {
        tags: ["Approvals"],
        operationId: "getApproval",
        summary: "Read a change that needs a second person",
        params: pathIds("approvalId"),
        response: { 200: Approval },
      },
      config: { errors: ["APPROVAL_NOT_FOUND"] },
    },
    async ({ params }) => {
      await approvals.expireOverdue();
      return presentApproval((await findApproval(db, idOf(params))) ?? fail("APPROVAL_NOT_FOUND"));
    },
  );

  app.post(
    "/approvals/:approvalId/approve",
    {
      schema: {
        tags: ["Approvals"],
        operationId: "approveApproval",
        summary: "Approve a change, and make it",
        description:
          "Makes exactly the change that is shown, or nothing. Not for the person who asked: a token that was made on the host, " +
          "or that a second person approved, is a person of its own; any other token is the person that made it.",
        params: pathIds("approvalId"),
        body: ReasonBody,
        response: { 200: Approval },
      },
      config: {
        errors: ["APPROVAL_NOT_FOUND", "APPROVAL_NEEDS_ANOTHER", "APPROVAL_ALREADY_DECIDED", "APPROVAL_OUTDATED"],
      },
    },
    async (request) =>
      presentApproval(await approvals.approve(idOf(request.params), actorOf(request), request.body?.reason ?? null)),
  );

  app.post(
    "/approvals/:approvalId/reject",
    {
      schema: {
        tags: ["Approvals"],
        operationId: "rejectApproval",
        summary: "Reject a change",
        params: pathIds("approvalId"),
        body: ReasonBody,
        response: { 200: Approval },
      },
      config: { errors: ["APPROVAL_NOT_FOUND", "APPROVAL_NEEDS_ANOTHER", "APPROVAL_ALREADY_DECIDED"] },
    },
    async (request) =>
      presentApproval(await approvals.reject(idOf(request.params), actorOf(request), request.body?.reason ?? null)),
  );
}
