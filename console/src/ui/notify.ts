import { notifications } from "@mantine/notifications";
import { isSignedOut, messageOf } from "../api/errors.ts";
import { visibleText } from "./visible-text.ts";

const closeButtonProps = { "aria-label": "Close" };
const PROBLEM_SHOWN_MS = 10_000;

export function notifySuccess(message: string): void {
  notifications.show({ color: "teal", message: visibleText(message), closeButtonProps });
}

/** Instead of a success: the change waits for a second person. */
export function notifyWaiting(): void {
  notifications.show({
    color: "blue",
    message: "This waits for a second person. Nothing is changed yet: another operator decides on the page Approvals.",
    autoClose: PROBLEM_SHOWN_MS,
    closeButtonProps,
  });
}

/** The action completes "Could not …". */
export function notifyFailure(error: unknown, action: string): void {
  // The sign-in page says why it is shown.
  if (isSignedOut(error)) return;
  notifyProblem(`Could not ${action}`, messageOf(error));
}

export function notifyProblem(title: string, message: string): void {
  notifications.show({
    color: "red",
    title,
    message: visibleText(message),
    autoClose: PROBLEM_SHOWN_MS,
    closeButtonProps,
  });
}
