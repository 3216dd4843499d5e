import { Button, Divider, Stack } from "@mantine/core";
import { Fragment, type ReactNode, useState } from "react";

interface FirstFewProps<Item> {
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  readonly row: (item: Item) => ReactNode;
  readonly count: number;
}

/** The first rows of a card's list, with a button for the others, so that one long list does not hide the rest of the page. */
export function FirstFew<Item>({ items, keyOf, row, count }: FirstFewProps<Item>) {
  const [isExpanded, setExpanded] = useState(false);
  return (
    <Stack gap="xs">
      {(isExpanded ? items : items.slice(0, count)).map((item) => (
        <Fragment key={keyOf(item)}>
          <Divider />
          {row(item)}
        </Fragment>
      ))}
      {items.length > count && (
        <>
          <Divider />
          <Button
            variant="subtle"
            size="compact-sm"
            aria-expanded={isExpanded}
            onClick={() => setExpanded(!isExpanded)}
            style={{ alignSelf: "flex-start" }}
          >
            {isExpanded ? "Show fewer" : `Show ${items.length - count} more`}
          </Button>
        </>
      )}
    </Stack>
  );
}
