import type { Example } from '../example.ts'

const LETTER = 'entity.submissions.dead:0:17'

export const OPERATION: Readonly<Record<string, readonly Example[]>> = {
  doctor: [
    ['doctor', 'Check every part, and say what to do about what is wrong.'],
    ['doctor --json', 'The same for a program, one line of JSON per finding.'],
  ],
  topics: [['topics', 'List the topics with their sizes.']],
  lag: [
    ['lag', 'List how far each consumer group is behind.'],
    ['lag --watch', 'Repeat it every two seconds.'],
  ],
  'dead-letters list': [
    ['dead-letters list', 'List the newest records that could not be processed.'],
    ['dead-letters list entity.submissions --since 24h --json', 'List those of one topic and one day as JSON.'],
  ],
  'dead-letters show': [[`dead-letters show ${LETTER}`, 'Show one with its content.']],
  'dead-letters replay': [
    [`dead-letters replay ${LETTER}`, 'Write one record to its topic again.'],
    [
      'dead-letters replay --topic entity.submissions --reason "unknown feed" --yes',
      'Write all with this reason again.',
    ],
  ],
  'dead-letters drop': [
    [`dead-letters drop ${LETTER} --note "a test of the sender"`, 'Mark one as resolved without a replay.'],
  ],
  'breaker list': [['breaker list', 'List which consumer groups stopped, and why.']],
  'breaker close': [
    ['breaker close observe', 'Let a consumer group continue where it stopped.'],
    ['breaker close observe --allow 100', 'Let it continue, and allow a hundred more dead letters.'],
  ],
  'audit tail': [['audit tail', 'Print new audit records until interrupted.']],
  'audit export': [
    ['audit export --since 2026-05-01 --until 2026-06-01', 'Print the records of May, one line of JSON each.'],
    ['audit export --format ocsf --since 24h', 'Print the last day as events of OCSF.'],
  ],
  'audit verify': [
    ['audit verify', 'Check that nothing in the audit log was changed.'],
    [`audit verify --head 0:12:${'ab'.repeat(32)}`, 'Check that it continues from a head that an earlier run printed.'],
  ],
}
