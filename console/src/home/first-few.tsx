import { Button, Divider, Stack } from "@mantine/core";
import { Fragment, type ReactNode, useState } from "react";

interface FirstFewProps<Item> {
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  readonly row: (item: Item) => ReactNode;
  readonly count: number;
}

/** The first rows of a card's list; the others when asked for, so that one long list does not push the rest out of sight. */
export function FirstFew<Item>({ items, keyOf, row, count }: FirstFewProps<Item>) {
  const [isWhole, setWhole] = useState(false);
  return (
    <Stack gap="xs">
      {(isWhole ? items : items.slice(0, count)).map((item) => (
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
            aria-expanded={isWhole}
            onClick={() => setWhole(!isWhole)}
            style={{ alignSelf: "flex-start" }}
          >
            {isWhole ? "Show fewer" : `Show ${items.length - count} more`}
          </Button>
        </>
      )}
    </Stack>
  );
}
