import type { Approvals } from "../../access/approvals/gate.ts";
import { presentWaiting } from "../../access/approvals/present.ts";
import { WaitingAnswer } from "../../access/approvals/schemas.ts";
import { actorOf } from "../../access/authenticate.ts";
import type { Listener } from "../../http/listener.ts";
import { pathIds, uuidOr } from "../../http/path-ids.ts";
import { changeHold, changeReceiver, type ReceiverDependencies } from "./change-receiver.ts";
import { withAllWallets } from "./present.ts";
import { presentForOperator } from "./read-participants.ts";
import { ChangeReceiverRequest, HoldRequest, OperatorParticipant } from "./schemas.ts";

export interface ParticipantRouteOptions extends ReceiverDependencies {
  readonly approvals: Approvals;
}

export async function participantOperatorRoutes(app: Listener, options: ParticipantRouteOptions): Promise<void> {
  const { approvals } = options;
  const setReceiver = approvals.cover("participant.receiver", {
    apply: (on, { participantId, ...request }: ChangeReceiverRequest & { participantId: string }, actor) =>
      changeReceiver({ ...options, db: on }, participantId, request, actor),
  });
  const present = async ({ campaign, participant }: Awaited<ReturnType<typeof changeReceiver>>) => {
    const [item] = await presentForOperator(options.db, campaign, [withAllWallets(participant)]);
    return item as NonNullable<typeof item>;
  };
  const idOf = (params: { participantId: string }) => uuidOr("PARTICIPANT_NOT_FOUND", params.participantId);

  app.put(
    "/participants/:participantId/receiver",
    {
      schema: {
        tags: ["Payouts"],
        operationId: "changeReceiver",
        summary: "Change where a participant is paid",
        description:
          "For payouts from now on; those that are recorded keep their recipient. The merchant's contact is mailed the change.",
        params: pathIds("participantId"),
        body: ChangeReceiverRequest,
        response: { 200: OperatorParticipant, 202: WaitingAnswer },
      },
      config: { errors: ["PARTICIPANT_NOT_FOUND"] },
    },
    async (request, reply) => {
      const outcome = await setReceiver(actorOf(request), { participantId: idOf(request.params), ...request.body });
      if (outcome.approval !== null) return reply.code(202).send(presentWaiting(outcome.approval));
      return present(outcome.result);
    },
  );

  const summaries = {
    hold: "Hold a participant: it gets no new payout",
    release: "Release a participant that is held",
  };
  for (const verb of ["hold", "release"] as const) {
    const move = approvals.cover(`participant.${verb}`, {
      apply: (on, { participantId, reason }: { participantId: string; reason: string }, actor) =>
        changeHold({ ...options, db: on }, participantId, verb, reason, actor),
    });
    app.post(
      `/participants/:participantId/${verb}`,
      {
        schema: {
          tags: ["Payouts"],
          operationId: `${verb}Participant`,
          summary: summaries[verb],
          description: "Submissions go on as before, and what is owed stays owed.",
          params: pathIds("participantId"),
          body: HoldRequest,
          response: { 200: OperatorParticipant, 202: WaitingAnswer },
        },
        config: { errors: ["PARTICIPANT_NOT_FOUND"] },
      },
      async (request, reply) => {
        const input = { participantId: idOf(request.params), reason: request.body.reason };
        const outcome = await move(actorOf(request), input);
        if (outcome.approval !== null) return reply.code(202).send(presentWaiting(outcome.approval));
        return present(outcome.result);
      },
    );
  }
}
