import { Center, Paper, Skeleton, Stack, Table, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { Failure } from "./failure.tsx";
import { type MorePages, ShowMore } from "./show-more.tsx";

interface Column<Item> {
  readonly label: string;
  readonly cell: (item: Item) => ReactNode;
  readonly isNumber?: boolean;
}

/** The part of an infinite query that a list shows. */
interface Pages<Item> extends MorePages {
  readonly data: { readonly pages: readonly { readonly items: readonly Item[] }[] } | undefined;
}

interface CursorTableProps<Item> {
  /** Names the table for whoever cannot see it. */
  readonly label: string;
  readonly pages: Pages<Item>;
  readonly columns: readonly Column<Item>[];
  readonly keyOf: (item: Item) => string;
  /** What to say when there is nothing: why, and what to do about it. */
  readonly empty: ReactNode;
}

const WAITING_ROWS = ["first", "second", "third", "fourth"];

/** A list that grows page by page as far as one wants to read. The server pages by cursor, so the millionth row costs what the first does. */
export function CursorTable<Item>({ label, pages, columns, keyOf, empty }: CursorTableProps<Item>) {
  if (pages.error !== null && pages.data === undefined) {
    return <Failure error={pages.error} onRetry={() => pages.refetch()} />;
  }
  const items = pages.data?.pages.flatMap((page) => page.items);
  if (items?.length === 0) {
    return (
      <Paper withBorder p="xl">
        <Center>
          <Text component="div" c="dimmed" ta="center">
            {empty}
          </Text>
        </Center>
      </Paper>
    );
  }
  return (
    <Stack gap="sm">
      <Paper withBorder>
        {/* The frame takes the keyboard's focus, so that a wide table can be scrolled without a mouse. */}
        <Table.ScrollContainer minWidth={640} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
          <Table
            verticalSpacing="sm"
            horizontalSpacing={8}
            highlightOnHover
            aria-label={label}
            aria-busy={items === undefined}
          >
            <Table.Thead>
              <Table.Tr>
                {columns.map((column) => (
                  <Table.Th key={column.label} className={column.isNumber ? "number" : undefined}>
                    {column.label}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {items === undefined
                ? WAITING_ROWS.map((row) => (
                    <Table.Tr key={row}>
                      {columns.map((column) => (
                        <Table.Td key={column.label}>
                          <Skeleton height={14} my={4} />
                        </Table.Td>
                      ))}
                    </Table.Tr>
                  ))
                : items.map((item) => (
                    <Table.Tr key={keyOf(item)}>
                      {columns.map((column) => (
                        <Table.Td key={column.label} className={column.isNumber ? "number" : undefined}>
                          {column.cell(item)}
                        </Table.Td>
                      ))}
                    </Table.Tr>
                  ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      </Paper>
      <ShowMore pages={pages} />
    </Stack>
  );
}
