import { Type } from 'typebox'

/** Who reported, in words (ADR 278). */
export const ReporterShown = Type.Object(
  {
    kind: Type.Enum(['you', 'colleague', 'customer', 'feed', 'platform', 'other'], {
      description:
        'colleague: an accepted member of the caller’s customer. customer: the caller’s customer as a whole. platform: an automatic scan. other: any other reporter',
    }),
    name: Type.String({
      description: '`you`, `this platform` and `another organisation` are always these words; else the name',
    }),
    email: Type.Optional(Type.String({ description: 'verified address of a colleague' })),
  },
  { description: 'who reported, as far as the caller may know' },
)
