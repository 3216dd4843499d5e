import { NavLink } from "@mantine/core";
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
} from "@tabler/icons-react";
import { Link, useLocation } from "react-router";

const PLACES = [
  { to: "/", label: "Home", icon: IconHome },
  { to: "/applications", label: "Applications", icon: IconInbox },
  { to: "/merchants", label: "Merchants", icon: IconBuildingStore },
  { to: "/campaigns", label: "Campaigns", icon: IconTargetArrow },
  { to: "/owed", label: "Owed", icon: IconScale },
  { to: "/payout-runs", label: "Payout runs", icon: IconCash },
  { to: "/payouts", label: "Payouts", icon: IconReceipt },
  { to: "/deposits", label: "Deposits", icon: IconCoins },
  { to: "/audit-log", label: "Audit log", icon: IconListCheck },
  { to: "/tokens", label: "Tokens", icon: IconKey },
  { to: "/search", label: "Find an id", icon: IconSearch },
];

/** The links to the main pages. */
export function Navigation({ onGo }: { onGo: () => void }) {
  const { pathname } = useLocation();
  return PLACES.map(({ to, label, icon: Icon }) => {
    const isHere = to === "/" ? pathname === "/" : pathname.startsWith(to);
    return (
      <NavLink
        key={to}
        component={Link}
        className="place"
        to={to}
        label={label}
        leftSection={<Icon size={18} stroke={1.6} aria-hidden />}
        active={isHere}
        aria-current={isHere ? "page" : undefined}
        onClick={onGo}
      />
    );
  });
}
