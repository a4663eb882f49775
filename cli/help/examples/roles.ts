import type { Example } from '../example.ts'

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
