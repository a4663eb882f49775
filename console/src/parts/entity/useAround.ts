import { api } from '../../api/client.ts'
import type { paths } from '../../api/schema.d.ts'

export type AroundAnswer = paths['/api/search/v1/around']['post']['responses'][200]['content']['application/json']

/** Longest value that the platform takes. */
const MAX_VALUE = 2_048

/** What is known around a value, whether it is known itself or not. null: it is not asked for. */
export const useAround = (value: string | null) =>
  api.useQuery(
    'post',
    '/api/search/v1/around',
    { body: { value: value ?? '' } },
    { enabled: value !== null && value.trim() !== '' && value.length <= MAX_VALUE, retry: false },
  )
