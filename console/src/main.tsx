import "./mantine.css";
import "./main.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/client.ts";
import { environment, styleNonce } from "./environment.ts";
import { BrokenPageBoundary } from "./shell/broken-page.tsx";
import { Gate } from "./shell/gate.tsx";
import { cssVariables, theme } from "./theme.ts";

// What the sign-in page needs, and no more: server/test/console-build.test.ts limits its size. Everything else is loaded after the sign-in.

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no root element.");
document.title = environment === "production" ? "Matchbook" : "Matchbook sandbox";

// The scroll lock behind dialogs adds a style element of its own. It looks for the nonce under this name.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <BrokenPageBoundary>
        <QueryClientProvider client={queryClient}>
          <Gate />
        </QueryClientProvider>
      </BrokenPageBoundary>
    </MantineProvider>
  </StrictMode>,
);
