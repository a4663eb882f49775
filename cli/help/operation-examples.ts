import type { Example } from './example.ts'

/** The tables that are made of the log. */
export const STORES: Readonly<Record<string, readonly Example[]>> = {
  guide: [
    ['guide', 'List the pages of the documentation.'],
    ['guide lag', 'Print the runbook of a consumer that lags.'],
  ],
  'counts check': [['counts check', 'Compare the counters with a recount of the entities.']],
  'counts repair': [['counts repair', 'Compare them, and correct what differs.']],
  'replay start': [
    ['replay start', 'Rebuild all tables from the log, next to the live ones.'],
    ['replay start --since 7d --feed my-feed', 'Rebuild a part of the log, to see what one feed contributes.'],
  ],
  'replay resume': [['replay resume harrier_2', 'Resume an interrupted rebuild.']],
  'replay list': [['replay list', 'List the live tables and all others.']],
  'replay compare': [['replay compare harrier_2', 'Compare a rebuild with the live tables.']],
  'replay promote': [['replay promote harrier_2', 'Make a complete rebuild live.']],
  'replay drop': [['replay drop harrier_2', 'Remove tables that are not live.']],
  'rescore try': [['rescore try rules.json', 'Show what other rules would change, and change nothing.']],
  'rescore build': [
    ['rescore build rules.json --top 50', 'Score all entities by other rules, next to the live tables.'],
  ],
  'rescore promote': [['rescore promote harrier_3', 'Make the scores by other rules live.']],
  'rescore drop': [['rescore drop harrier_3', 'Remove what was built.']],
  'rescore show': [['rescore show > rules.json', 'Write the active rules to a file, to change them.']],
}

/** For whoever sees the program for the first time. */
export const FIRST_STEPS: readonly Example[] = [
  ['up', 'Start a platform on this machine; it prints where its console is.'],
  ['demo', 'Fill it with invented reports, in another terminal.'],
  ['feed import --help', 'See how to import a feed of your own, with examples. Every command has such a page.'],
]

export const ROLES: Readonly<Record<string, readonly Example[]>> = {
  up: [['up', 'Start the whole platform here; Ctrl-C stops it.']],
  api: [['api', 'Serve the API over the servers that the environment names.']],
  observe: [['observe', 'Turn the log into history and entities.']],
  follow: [['follow', 'Keep the lists of feeds up to date, and create and deliver alerts.']],
  'scan-worker': [['scan-worker', 'Run the requested scans.']],
  lifecycle: [['lifecycle', 'Complete deletions and cancellations.']],
  completion: [
    ['completion bash > ~/.local/share/bash-completion/completions/harrier', 'Complete commands by Tab in bash.'],
    ['completion zsh > ~/.zfunc/_harrier', 'The same in zsh, where ~/.zfunc is in fpath.'],
    ['completion fish > ~/.config/fish/completions/harrier.fish', 'The same in fish.'],
  ],
  demo: [
    ['demo', 'Load 50,000 invented entities over 60 days, and wait until they are searchable.'],
    ['demo --entities 1000 --days 30', 'Load a smaller demonstration.'],
  ],
}

const LETTER = 'entity.submissions.dead:0:17'

export const OPERATION: Readonly<Record<string, readonly Example[]>> = {
  'lookup-index status': [['lookup-index status', 'Show whether look-ups read the index of this host.']],
  'lookup-index verify': [
    ['lookup-index verify', 'Compare every value of it with the store; exit code 1 when something differs.'],
  ],
  'lookup-index rebuild': [['lookup-index rebuild', 'Rebuild it, and wait until look-ups read it.']],
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
