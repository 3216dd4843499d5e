import { notifications } from "@mantine/notifications";
import { messageOf } from "../api/errors.ts";

const closeButtonProps = { "aria-label": "Close" };

export function notifySuccess(message: string): void {
  notifications.show({ color: "teal", message, closeButtonProps });
}

export function notifyFailure(error: unknown): void {
  notifyProblem(messageOf(error));
}

export function notifyProblem(message: string): void {
  notifications.show({
    color: "red",
    title: "That did not work",
    message,
    autoClose: 10_000,
    closeButtonProps,
  });
}
