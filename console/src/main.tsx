import "@mantine/core/styles.css";
import "@mantine/charts/styles.css";
import "@mantine/notifications/styles.css";
import "./main.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { RouterProvider } from "react-router";
import { queryClient } from "./api/client.ts";
import { environment, styleNonce } from "./environment.ts";
import { router } from "./routes.tsx";
import { cssVariables, theme } from "./theme.ts";

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no root element.");
document.title = environment === "production" ? "Matchbook" : "Matchbook sandbox";

// The scroll lock behind dialogs adds a style element of its own, and asks for the nonce by this name.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <Notifications position="bottom-right" />
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
