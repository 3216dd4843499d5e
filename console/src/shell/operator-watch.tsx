import { notifications } from "@mantine/notifications";
import { useEffect, useRef } from "react";
import { useSession } from "../session/session.ts";

/** Tells when another tab of this browser signed in as someone else. */
export function OperatorWatch() {
  const { session } = useSession();
  const shown = useRef(session);
  useEffect(() => {
    const before = shown.current;
    shown.current = session;
    if (!before || !session || before.operatorId === session.operatorId) return;
    notifications.show({
      color: "yellow",
      title: "Another tab signed in",
      message: `This tab now shows what ${session.name} sees. Your changes are recorded as ${session.name}.`,
      autoClose: false,
      closeButtonProps: { "aria-label": "Close" },
    });
  }, [session]);
  return null;
}
