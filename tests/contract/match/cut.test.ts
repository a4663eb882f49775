import { CUTS, endsAt } from './cuts.ts'

/** What is known of an event, what is told of it, and the records of that; the others end in cut.long.test.ts. */
endsAt(CUTS.filter(({ name }) => ['putIds', 'putMatches', 'send'].includes(name)))
