import type { Details } from '../../answers.ts'

/** What a dialog of an action gets. The dialog calls `acknowledged` with the name of what the platform accepted. */
export type ActionProps = { entity: Details; close: () => void; acknowledged: (what: string) => void }
