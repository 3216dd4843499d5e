import type { Actor, ChangeDependencies } from "../audit/audit.ts";
import { merchantOf } from "../auth/authenticate.ts";
import { presentCampaign } from "../campaigns/present.ts";
import { Campaign } from "../campaigns/schemas.ts";
import { presentDeposit } from "../deposits/present.ts";
import { ReportedDeposit } from "../deposits/schemas.ts";
import type { Listener } from "../http/listener.ts";
import { createTestCampaign } from "./create-campaign.ts";
import { createTestDeposit, type TestDepositDependencies } from "./create-deposit.ts";
import { TestCampaignRequest, TestDepositRequest } from "./schemas.ts";

const actorOf = (merchantId: string, { id }: { id: string }): Actor => ({
  name: `merchant ${merchantId} (test helper)`,
  requestId: id,
});

/** Lets merchants do what the hosted flow and operators do in production. Registered only in the sandbox. */
export async function sandboxRoutes(
  app: Listener,
  options: TestDepositDependencies & ChangeDependencies,
): Promise<void> {
  app.post(
    "/v1/test-helpers/deposits",
    {
      schema: {
        tags: ["Test helpers"],
        operationId: "createTestDeposit",
        summary: "Make a deposit, as if a user had paid",
        description: "Everything but the wallet has a default. Exists in the sandbox only.",
        body: TestDepositRequest,
        response: { 201: ReportedDeposit },
      },
      config: { errors: ["DEPOSIT_CONFLICT"] },
    },
    async (request, reply) => {
      const merchantId = merchantOf(request);
      const deposit = await createTestDeposit(options, merchantId, request.body, actorOf(merchantId, request));
      return reply.code(201).send(presentDeposit(deposit));
    },
  );

  app.post(
    "/v1/test-helpers/campaigns",
    {
      schema: {
        tags: ["Test helpers"],
        operationId: "createTestCampaign",
        summary: "Run a campaign, as if an operator had created and activated it",
        description: "Every field has a default. Exists in the sandbox only.",
        body: TestCampaignRequest,
        response: { 201: Campaign },
      },
    },
    async (request, reply) => {
      const merchantId = merchantOf(request);
      const campaign = await createTestCampaign(options, merchantId, request.body, actorOf(merchantId, request));
      return reply.code(201).send(presentCampaign(campaign));
    },
  );
}
