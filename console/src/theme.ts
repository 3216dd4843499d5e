import { type CSSVariablesResolver, createTheme } from "@mantine/core";
import { environment } from "./environment.ts";

/** The environment's colour: whatever can be pressed tells where it acts. */
export const environmentColor = environment === "production" ? "indigo" : "orange";

export const theme = createTheme({
  primaryColor: environmentColor,
  primaryShade: { light: environment === "production" ? 7 : 9, dark: 8 },
  autoContrast: true,
  defaultRadius: "md",
  fontFamily: 'Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
  headings: { fontWeight: "650" },
  cursorType: "pointer",
});

/** Mantine's own shade for secondary text is too faint for small print. */
export const cssVariables: CSSVariablesResolver = (theme) => ({
  variables: {},
  light: { "--mantine-color-dimmed": theme.colors.gray[7] },
  dark: { "--mantine-color-dimmed": theme.colors.dark[1] },
});
