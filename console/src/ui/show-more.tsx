import { Button, Center } from "@mantine/core";
import { Failure } from "./failure.tsx";

/** The part of an infinite query that loads more. */
export interface MorePages {
  readonly error: unknown;
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly isFetchNextPageError: boolean;
  readonly fetchNextPage: () => unknown;
  readonly refetch: () => unknown;
}

/** Below a list: the button that loads its next page, or what went wrong. */
export function ShowMore({ pages, label = "Show more" }: { pages: MorePages; label?: string }) {
  const { error, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage, refetch } = pages;
  return (
    <>
      {error !== null && (
        <Failure
          error={error}
          action={isFetchNextPageError ? "load more" : "load the list"}
          onRetry={() => (isFetchNextPageError ? fetchNextPage() : refetch())}
        />
      )}
      {hasNextPage && !isFetchNextPageError && (
        <Center>
          <Button variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {label}
          </Button>
        </Center>
      )}
    </>
  );
}
