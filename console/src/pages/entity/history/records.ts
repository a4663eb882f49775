/** The query for the kept reports of one entity, newest first. */
export const recordsQuery = (id: string, { page, limit }: { page: number; limit: number }) => ({
  params: { query: { page, limit, sort: '@timestamp', order: 'desc' as const } },
  body: { query: { filter: [{ term: { entityID: id } }] } },
})
