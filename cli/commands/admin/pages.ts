/** What the API says beside a page of a list. */
export type Pages = { items: number; pages: number }

/** What to type for the rest; nothing on the last page. */
export const morePages = ({ items, pages }: Pages, page: number): string =>
  page >= pages ? '' : `page ${page} of ${pages}, ${items} in all; --page ${page + 1} shows the next\n`
