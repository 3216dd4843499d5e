import "@mantine/core/styles.css";
import "@mantine/charts/styles.css";
import "@mantine/notifications/styles.css";
import { Notifications } from "@mantine/notifications";
import { RouterProvider } from "react-router";
import { router } from "../routes.tsx";
import { OperatorWatch } from "./operator-watch.tsx";

/** The console behind the sign-in page. */
export default function SignedIn() {
  return (
    <>
      <Notifications position="bottom-right" />
      <OperatorWatch />
      <RouterProvider router={router} />
    </>
  );
}
