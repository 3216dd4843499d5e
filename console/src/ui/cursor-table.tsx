import { Button, Center, Collapse, Paper, Skeleton, Stack, Table, Text } from "@mantine/core";
import { useDisclosure, useMediaQuery } from "@mantine/hooks";
import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type Ref, useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import { Failure } from "./failure.tsx";
import { Figure, fractionDigitsOf } from "./figure.tsx";
import { type MorePages, ShowMore } from "./show-more.tsx";

interface ColumnBase {
  readonly label: string;
  /** In pixels, at least. What is left of the screen's width is shared in this proportion. */
  readonly width?: number;
  /** One of the three facts that a phone shows of a row. Without any, the first three columns are these. */
  readonly isKey?: boolean;
}

interface CellColumn<Item> extends ColumnBase {
  readonly cell: (item: Item) => ReactNode;
  readonly isNumber?: boolean;
}

/** Amounts are aligned at their decimal points. */
interface AmountColumn<Item> extends ColumnBase {
  readonly amount: (item: Item) => string;
}

export type Column<Item> = CellColumn<Item> | AmountColumn<Item>;

/** The part of an infinite query that a list shows. */
interface Pages<Item> extends MorePages {
  readonly data: { readonly pages: readonly { readonly items: readonly Item[] }[] } | undefined;
}

interface CursorTableProps<Item> {
  /** Names the table for screen readers. */
  readonly label: string;
  readonly pages: Pages<Item>;
  readonly columns: readonly Column<Item>[];
  readonly keyOf: (item: Item) => string;
  /** What could not be done after an error, as in "load deposits". That is the default, with the label. */
  readonly action?: string;
  /** Shown when there is nothing: why, and what to do about it. */
  readonly empty: ReactNode;
}

const WAITING_ROWS = ["first", "second", "third", "fourth"];
const COLUMN_WIDTH = 130;
const AMOUNT_WIDTH = 150;
const KEYS_ON_PHONE = 3;
const PHONE = "(max-width: 47.99em)";
/** Rows beyond the screen that are kept in the page, above and below. */
const ROWS_BEYOND = 50;
const ROW_HEIGHT_GUESS = 52;
const CARD_HEIGHT_GUESS = 150;

/**
 * A list that grows page by page. Only the rows near the screen are in the page, so that ten thousand of them scroll as
 * quickly as ten. On a phone each row is a card.
 */
export function CursorTable<Item>(props: CursorTableProps<Item>) {
  const { label, pages, columns, keyOf, empty, action = `load ${label.toLowerCase()}` } = props;
  const isPhone = useMediaQuery(PHONE, undefined, { getInitialValueInEffect: false });
  const items = useMemo(() => pages.data?.pages.flatMap((page) => page.items), [pages.data]);
  // Cards have no columns to align.
  const rendered = useRenderedColumns(columns, isPhone ? undefined : items);
  if (pages.error !== null && pages.data === undefined) {
    return <Failure error={pages.error} action={action} onRetry={() => pages.refetch()} />;
  }
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
      {items === undefined ? (
        <Waiting label={label} columns={rendered} />
      ) : isPhone ? (
        <Cards label={label} columns={rendered} items={items} keyOf={keyOf} />
      ) : (
        <Rows label={label} columns={rendered} items={items} keyOf={keyOf} />
      )}
      <ShowMore pages={pages} />
    </Stack>
  );
}

interface RenderedColumn<Item> {
  readonly label: string;
  readonly width: number;
  readonly isKey: boolean;
  readonly isNumber: boolean;
  readonly cell: (item: Item) => ReactNode;
}

function useRenderedColumns<Item>(
  columns: readonly Column<Item>[],
  items: readonly Item[] | undefined,
): RenderedColumn<Item>[] {
  // Counted once for each page that is read: to format ten thousand amounts takes a while.
  const labels = columns.map((column) => column.label).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: The columns are new objects in every render, with the same meaning.
  const digits = useMemo(
    () =>
      columns.map((column) =>
        "amount" in column
          ? (items ?? []).reduce((most, item) => Math.max(most, fractionDigitsOf(column.amount(item))), 0)
          : 0,
      ),
    [items, labels],
  );
  const hasKeys = columns.some(({ isKey }) => isKey);
  return columns.map((column, index) => ({
    label: column.label,
    width: column.width ?? ("amount" in column ? AMOUNT_WIDTH : COLUMN_WIDTH),
    isKey: hasKeys ? column.isKey === true : index < KEYS_ON_PHONE,
    isNumber: "amount" in column || column.isNumber === true,
    cell:
      "amount" in column
        ? (item) => <Figure text={column.amount(item)} fractionDigits={digits[index] ?? 0} />
        : column.cell,
  }));
}

interface ListProps<Item> {
  readonly label: string;
  readonly columns: readonly RenderedColumn<Item>[];
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
}

/** Which of the items are near the screen, and how much space stands for the others. */
function useItemsNearby<Item, Parent extends HTMLElement>(
  { items, keyOf }: Pick<ListProps<Item>, "items" | "keyOf">,
  heightGuess: number,
) {
  const parent = useRef<Parent>(null);
  const [scrollMargin, setScrollMargin] = useState(0);
  // What stands above the list may grow or shrink with any render.
  useLayoutEffect(() => {
    const top = Math.round((parent.current?.getBoundingClientRect().top ?? 0) + window.scrollY);
    if (top !== scrollMargin) setScrollMargin(top);
  });
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => heightGuess,
    getItemKey: (index) => keyOf(items[index] as Item),
    overscan: ROWS_BEYOND,
    scrollMargin,
  });
  const nearby = virtualizer.getVirtualItems();
  const [first] = nearby;
  const last = nearby.at(-1);
  return {
    parent,
    nearby: nearby.map(({ index, key }) => ({ index, key: String(key), item: items[index] as Item })),
    measure: virtualizer.measureElement,
    spaceAbove: first === undefined ? 0 : Math.max(0, first.start - scrollMargin),
    spaceBelow: last === undefined ? 0 : Math.max(0, virtualizer.getTotalSize() - (last.end - scrollMargin)),
  };
}

function Rows<Item>({ label, columns, items, keyOf }: ListProps<Item>) {
  const { parent, nearby, measure, spaceAbove, spaceBelow } = useItemsNearby<Item, HTMLTableSectionElement>(
    { items, keyOf },
    ROW_HEIGHT_GUESS,
  );
  return (
    <Frame label={label} columns={columns} rowCount={items.length + 1} bodyRef={parent}>
      {spaceAbove > 0 && <Space height={spaceAbove} columns={columns.length} />}
      {nearby.map(({ index, key, item }) => (
        // The row of labels is the first.
        <Table.Tr key={key} ref={measure} data-index={index} aria-rowindex={index + 2}>
          {columns.map((column) => (
            <Table.Td key={column.label} className={column.isNumber ? "number" : undefined}>
              {column.cell(item)}
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
      {spaceBelow > 0 && <Space height={spaceBelow} columns={columns.length} />}
    </Frame>
  );
}

function Space({ height, columns }: { height: number; columns: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: Nothing in this row takes the focus.
    <tr aria-hidden="true">
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  );
}

function Waiting<Item>({ label, columns }: { label: string; columns: readonly RenderedColumn<Item>[] }) {
  return (
    <Frame label={label} columns={columns} isBusy>
      {WAITING_ROWS.map((row) => (
        <Table.Tr key={row}>
          {columns.map((column) => (
            <Table.Td key={column.label}>
              <Skeleton height={14} my={4} />
            </Table.Td>
          ))}
        </Table.Tr>
      ))}
    </Frame>
  );
}

interface FrameProps {
  readonly label: string;
  readonly columns: readonly { readonly label: string; readonly width: number; readonly isNumber: boolean }[];
  readonly rowCount?: number;
  readonly isBusy?: boolean;
  readonly bodyRef?: Ref<HTMLTableSectionElement>;
  readonly children: ReactNode;
}

/** The table around its rows. Columns have fixed widths: they must not move while rows come and go, nor grow with a text. */
function Frame({ label, columns, rowCount, isBusy = false, bodyRef, children }: FrameProps) {
  const widths = columns.reduce((sum, { width }) => sum + width, 0);
  return (
    <Paper withBorder>
      {/* The frame takes the keyboard's focus, so that a wide table can be scrolled without a mouse. */}
      <Table.ScrollContainer minWidth={widths} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
        <Table
          layout="fixed"
          verticalSpacing="sm"
          horizontalSpacing={8}
          highlightOnHover
          className="list"
          aria-label={label}
          aria-busy={isBusy}
          aria-rowcount={rowCount}
        >
          <colgroup>
            {columns.map((column) => (
              <col key={column.label} style={{ width: `${(100 * column.width) / widths}%` }} />
            ))}
          </colgroup>
          <Table.Thead>
            <Table.Tr>
              {columns.map((column) => (
                <Table.Th key={column.label} className={column.isNumber ? "number" : undefined}>
                  {column.label}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody ref={bodyRef}>{children}</Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    </Paper>
  );
}

function Cards<Item>({ label, columns, items, keyOf }: ListProps<Item>) {
  const { parent, nearby, measure, spaceAbove, spaceBelow } = useItemsNearby<Item, HTMLUListElement>(
    { items, keyOf },
    CARD_HEIGHT_GUESS,
  );
  return (
    <ul ref={parent} className="cards" aria-label={label} style={{ paddingTop: spaceAbove, paddingBottom: spaceBelow }}>
      {nearby.map(({ index, key, item }) => (
        <li key={key} ref={measure} data-index={index} aria-setsize={items.length} aria-posinset={index + 1}>
          <Card columns={columns} item={item} />
        </li>
      ))}
    </ul>
  );
}

/** Three facts of a row, and the others on demand. */
function Card<Item>({ columns, item }: { columns: readonly RenderedColumn<Item>[]; item: Item }) {
  const [isOpen, { toggle }] = useDisclosure();
  const id = useId();
  const others = columns.filter(({ isKey }) => !isKey);
  return (
    <Paper withBorder p="sm">
      <CardFacts columns={columns.filter(({ isKey }) => isKey)} item={item} />
      {others.length > 0 && (
        <>
          <Collapse expanded={isOpen} keepMounted={false} id={id}>
            <CardFacts columns={others} item={item} />
          </Collapse>
          <Button size="compact-sm" variant="subtle" px={0} onClick={toggle} aria-expanded={isOpen} aria-controls={id}>
            {isOpen ? "Show less" : "Show all"}
          </Button>
        </>
      )}
    </Paper>
  );
}

function CardFacts<Item>({ columns, item }: { columns: readonly RenderedColumn<Item>[]; item: Item }) {
  return (
    <dl className="card-facts">
      {columns.map(({ label, cell }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{cell(item)}</dd>
        </div>
      ))}
    </dl>
  );
}
