import { createBrowserRouter } from "react-router";
import { ApplicationsPage } from "./applications/applications-page.tsx";
import { AuditLogPage } from "./audit-log/audit-log-page.tsx";
import { CampaignPage } from "./campaigns/campaign-page.tsx";
import { CampaignsPage } from "./campaigns/campaigns-page.tsx";
import { NewCampaignPage } from "./campaigns/new-campaign-page.tsx";
import { ParticipantPage } from "./campaigns/participant-page.tsx";
import { DepositsPage } from "./deposits/deposits-page.tsx";
import { HomePage } from "./home/home-page.tsx";
import { MerchantPage } from "./merchants/merchant-page.tsx";
import { MerchantsPage } from "./merchants/merchants-page.tsx";
import { BrokenPage, NotFoundPage } from "./shell/broken-pages.tsx";
import { Gate } from "./shell/gate.tsx";
import { TokensPage } from "./tokens/tokens-page.tsx";

/** Every page of the console and its address. Filters are part of the address, so a reload or a shared link keeps them. */
export const router = createBrowserRouter(
  [
    {
      element: <Gate />,
      errorElement: <BrokenPage />,
      children: [
        { path: "/", element: <HomePage /> },
        { path: "/applications", element: <ApplicationsPage /> },
        { path: "/merchants", element: <MerchantsPage /> },
        { path: "/merchants/:merchantId", element: <MerchantPage /> },
        { path: "/campaigns", element: <CampaignsPage /> },
        { path: "/campaigns/new", element: <NewCampaignPage /> },
        { path: "/campaigns/:campaignId", element: <CampaignPage /> },
        { path: "/campaigns/:campaignId/participants/:participantId", element: <ParticipantPage /> },
        { path: "/deposits", element: <DepositsPage /> },
        { path: "/audit-log", element: <AuditLogPage /> },
        { path: "/tokens", element: <TokensPage /> },
        { path: "*", element: <NotFoundPage /> },
      ],
    },
  ],
  { basename: "/console" },
);
