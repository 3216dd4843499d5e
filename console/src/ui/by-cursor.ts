/** How every list of the API is paged: each answer has the cursor of the next page. */
export const byCursor = {
  pageParamName: "cursor",
  // The first page has none. It must be null: openapi-react-query would send undefined as cursor=0.
  initialPageParam: null,
  getNextPageParam: (page: { nextCursor: string | null }) => page.nextCursor,
  // To come back to the window would read every page again that was ever shown.
  refetchOnWindowFocus: false,
};
