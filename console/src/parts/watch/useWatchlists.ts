import { api } from '../../api/client.ts'

/** Most that the platform answers at once. */
const MOST = 200

/** The caller's watchlists, newest first. */
export const useWatchlists = (enabled = true) =>
  api.useQuery('get', '/api/casework/v1/watchlists', { params: { query: { limit: MOST } } }, { enabled })
