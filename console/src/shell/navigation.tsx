import { Badge, NavLink } from "@mantine/core";
import {
  IconBuildingStore,
  IconCash,
  IconCoins,
  IconHome,
  IconInbox,
  IconKey,
  IconListCheck,
  IconReceipt,
  IconScale,
  IconSearch,
  IconTargetArrow,
  IconUsers,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { useSession } from "../session/session.ts";
import { useWaitingApprovals } from "../ui/waiting-approvals.tsx";

interface Place {
  readonly to: string;
  readonly label: string;
  readonly icon: typeof IconHome;
  /** What stands beside the label. */
  readonly Note?: () => ReactNode;
}

const PLACES: readonly Place[] = [
  { to: "/", label: "Home", icon: IconHome },
  { to: "/applications", label: "Applications", icon: IconInbox },
  { to: "/merchants", label: "Merchants", icon: IconBuildingStore },
  { to: "/campaigns", label: "Campaigns", icon: IconTargetArrow },
  { to: "/owed", label: "Owed", icon: IconScale },
  { to: "/payout-runs", label: "Payout runs", icon: IconCash },
  { to: "/approvals", label: "Approvals", icon: IconUsers, Note: ApprovalsNote },
  { to: "/payouts", label: "Payouts", icon: IconReceipt },
  { to: "/deposits", label: "Deposits", icon: IconCoins },
  { to: "/audit-log", label: "Audit log", icon: IconListCheck },
  { to: "/tokens", label: "Tokens", icon: IconKey },
  { to: "/search", label: "Find an id", icon: IconSearch },
];

/** The links to the main pages. */
export function Navigation({ onGo }: { onGo: () => void }) {
  const { pathname } = useLocation();
  return PLACES.map(({ to, label, icon: Icon, Note }) => {
    const isHere = to === "/" ? pathname === "/" : pathname.startsWith(to);
    return (
      <NavLink
        key={to}
        component={Link}
        className="place"
        to={to}
        label={label}
        leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
        rightSection={Note && <Note />}
        active={isHere}
        aria-current={isHere ? "page" : undefined}
        onClick={onGo}
      />
    );
  });
}

/** How many changes wait for a second person, or that none ever does. */
function ApprovalsNote() {
  const { session } = useSession();
  const waiting = useWaitingApprovals();
  if (session?.approvals === false) {
    return (
      <Badge size="xs" color="gray" variant="light" component="span">
        off
      </Badge>
    );
  }
  if (waiting === undefined || waiting.items.length === 0) return null;
  return (
    <Badge size="xs" variant="filled" component="span">
      {waiting.items.length}
      {waiting.nextCursor !== null && "+"}
    </Badge>
  );
}
