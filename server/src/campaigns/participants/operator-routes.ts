import { actorOf } from "../../access/authenticate.ts";
import type { Listener } from "../../http/listener.ts";
import { pathIds, uuidOr } from "../../http/path-ids.ts";
import { changeHold, changeReceiver, type ReceiverDependencies } from "./change-receiver.ts";
import { withAllWallets } from "./present.ts";
import { presentForOperator } from "./read-participants.ts";
import { ChangeReceiverRequest, HoldRequest, OperatorParticipant } from "./schemas.ts";

export async function participantOperatorRoutes(app: Listener, options: ReceiverDependencies): Promise<void> {
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
        response: { 200: OperatorParticipant },
      },
      config: { errors: ["PARTICIPANT_NOT_FOUND"] },
    },
    async (request) => present(await changeReceiver(options, idOf(request.params), request.body, actorOf(request))),
  );

  const summaries = {
    hold: "Hold a participant: it gets no new payout",
    release: "Release a participant that is held",
  };
  for (const verb of ["hold", "release"] as const) {
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
          response: { 200: OperatorParticipant },
        },
        config: { errors: ["PARTICIPANT_NOT_FOUND"] },
      },
      async (request) =>
        present(await changeHold(options, idOf(request.params), verb, request.body.reason, actorOf(request))),
    );
  }
}
