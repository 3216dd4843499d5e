import { type CSSVariablesResolver, colorsTuple, createTheme, DEFAULT_THEME } from "@mantine/core";
import { environment } from "./environment.ts";

/** The environment's colour, used for every button and link. */
export const environmentColor = environment === "production" ? "indigo" : "orange";

const { orange, red, teal, yellow } = DEFAULT_THEME.colors;

export const theme = createTheme({
  // Mantine's darkest shades of these are too pale for small text, in front of white and behind it.
  colors: {
    orange: colorsTuple(orange.with(9, "#ad3907")),
    red: colorsTuple(red.with(7, red[8])),
    teal: colorsTuple(teal.with(9, "#066649")),
    yellow: colorsTuple(yellow.with(9, "#8f4700")),
  },
  primaryColor: environmentColor,
  primaryShade: environment === "production" ? { light: 7, dark: 8 } : 9,
  autoContrast: true,
  defaultRadius: "md",
  fontFamily: 'Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  fontFamilyMonospace: "ui-monospace, SFMono-Regular, Menlo, Consolas, monospace",
  headings: { fontWeight: "650" },
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    // A dialog's header would count as a second banner of the page for screen readers.
    Modal: { defaultProps: { attributes: { header: { role: "presentation" } } } },
  },
});

/** Mantine's shades for secondary text and for errors are too faint for small text. */
export const cssVariables: CSSVariablesResolver = (theme) => ({
  variables: {},
  light: { "--mantine-color-dimmed": theme.colors.gray[7], "--mantine-color-error": theme.colors.red[9] },
  dark: { "--mantine-color-dimmed": theme.colors.dark[1], "--mantine-color-error": theme.colors.red[4] },
});
