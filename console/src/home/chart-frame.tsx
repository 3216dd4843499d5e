import { Paper, Stack, Text, Title, VisuallyHidden } from "@mantine/core";
import type { ReactNode } from "react";

interface ChartFrameProps {
  readonly title: string;
  /** The totals, in words. */
  readonly summary: ReactNode;
  /** The exact figures, for screen readers. */
  readonly table: { readonly columns: readonly string[]; readonly rows: readonly (readonly string[])[] };
  readonly children: ReactNode;
}

export function ChartFrame({ title, summary, table, children }: ChartFrameProps) {
  return (
    <Paper component="section" withBorder p="md" aria-label={title} pos="relative">
      <Stack gap="md">
        <Stack gap={2}>
          <Title order={3} size="h4">
            {title}
          </Title>
          <Text size="sm" component="div">
            {summary}
          </Text>
        </Stack>
        {children}
      </Stack>
      <VisuallyHidden>
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              {table.columns.map((column) => (
                <th key={column} scope="col">
                  {column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map(([first, ...rest]) => (
              <tr key={first}>
                <th scope="row">{first}</th>
                {rest.map((text, index) => (
                  <td key={table.columns[index + 1]}>{text}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </VisuallyHidden>
    </Paper>
  );
}
