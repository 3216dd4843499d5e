import { createBrowserRouter } from "react-router";
import { BrokenPage } from "./shell/broken-page.tsx";
import { Frame } from "./shell/frame.tsx";
import { Loading } from "./shell/gate.tsx";
import { NotFoundPage } from "./shell/not-found-page.tsx";

/**
 * Every page of the console and its address. A page's code is loaded when it is first opened. Filters are part of the address,
 * so that a reload or a shared link keeps them.
 */
export const router = createBrowserRouter(
  [
    {
      Component: Frame,
      ErrorBoundary: BrokenPage,
      HydrateFallback: Loading,
      children: [
        { path: "/", lazy: async () => ({ Component: (await import("./home/home-page.tsx")).HomePage }) },
        {
          path: "/failed-payouts",
          lazy: async () => ({ Component: (await import("./home/failed-payouts-page.tsx")).FailedPayoutsPage }),
        },
        {
          path: "/applications",
          lazy: async () => ({ Component: (await import("./applications/applications-page.tsx")).ApplicationsPage }),
        },
        {
          path: "/merchants",
          lazy: async () => ({ Component: (await import("./merchants/merchants-page.tsx")).MerchantsPage }),
        },
        {
          path: "/merchants/:merchantId",
          lazy: async () => ({ Component: (await import("./merchants/merchant-page.tsx")).MerchantPage }),
        },
        {
          path: "/campaigns",
          lazy: async () => ({ Component: (await import("./campaigns/campaigns-page.tsx")).CampaignsPage }),
        },
        {
          path: "/campaigns/new",
          lazy: async () => ({ Component: (await import("./campaigns/new-campaign-page.tsx")).NewCampaignPage }),
        },
        {
          path: "/campaigns/:campaignId",
          lazy: async () => ({ Component: (await import("./campaigns/campaign-page.tsx")).CampaignPage }),
        },
        {
          path: "/campaigns/:campaignId/participants/:participantId",
          lazy: async () => ({ Component: (await import("./campaigns/participant-page.tsx")).ParticipantPage }),
        },
        { path: "/owed", lazy: async () => ({ Component: (await import("./owed/owed-page.tsx")).OwedPage }) },
        {
          path: "/payouts",
          lazy: async () => ({ Component: (await import("./payouts/payouts-page.tsx")).PayoutsPage }),
        },
        {
          path: "/payout-runs",
          lazy: async () => ({ Component: (await import("./payout-runs/payout-runs-page.tsx")).PayoutRunsPage }),
        },
        {
          path: "/payout-runs/new",
          lazy: async () => ({ Component: (await import("./payout-runs/new-run-page.tsx")).NewRunPage }),
        },
        {
          path: "/payout-runs/:runId",
          lazy: async () => ({ Component: (await import("./payout-runs/payout-run-page.tsx")).PayoutRunPage }),
        },
        {
          path: "/approvals",
          lazy: async () => ({ Component: (await import("./approvals/approvals-page.tsx")).ApprovalsPage }),
        },
        {
          path: "/deposits",
          lazy: async () => ({ Component: (await import("./deposits/deposits-page.tsx")).DepositsPage }),
        },
        {
          path: "/merchants/:merchantId/deposits/:depositId",
          lazy: async () => ({ Component: (await import("./deposits/deposit-page.tsx")).DepositPage }),
        },
        {
          path: "/audit-log",
          lazy: async () => ({ Component: (await import("./audit-log/audit-log-page.tsx")).AuditLogPage }),
        },
        { path: "/search", lazy: async () => ({ Component: (await import("./search/search-page.tsx")).SearchPage }) },
        { path: "/tokens", lazy: async () => ({ Component: (await import("./tokens/tokens-page.tsx")).TokensPage }) },
        { path: "*", Component: NotFoundPage },
      ],
    },
  ],
  { basename: "/console" },
);
