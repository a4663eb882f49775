import type { Example } from '../example.ts'

/** The tables that are made of the log. */
export const STORES: Readonly<Record<string, readonly Example[]>> = {
  'counts check': [['counts check', 'Compare the counters with a recount of the entities.']],
  'counts repair': [['counts repair', 'Compare them, and correct what differs.']],
  'replay start': [
    ['replay start', 'Rebuild all tables from the log, beside the live ones.'],
    ['replay start --since 7d --feed my-feed', 'Rebuild a part of the log, to see what one feed contributes.'],
  ],
  'replay resume': [['replay resume harrier_2', 'Resume an interrupted rebuild.']],
  'replay list': [['replay list', 'List the live tables and all others.']],
  'replay compare': [['replay compare harrier_2', 'Compare a rebuild with the live tables.']],
  'replay promote': [['replay promote harrier_2', 'Make a complete rebuild live.']],
  'replay drop': [['replay drop harrier_2', 'Remove tables that are not live.']],
  'rescore try': [['rescore try rules.json', 'Show what other rules would change, and change nothing.']],
  'rescore build': [
    ['rescore build rules.json --top 50', 'Score all entities by other rules, beside the live tables.'],
  ],
  'rescore promote': [['rescore promote harrier_3', 'Make the scores by other rules live.']],
  'rescore drop': [['rescore drop harrier_3', 'Remove what was built.']],
  'rescore show': [['rescore show > rules.json', 'Write the active rules to a file, to change them.']],
}
