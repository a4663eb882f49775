import type { Block } from './product.ts'

type Fetched = {
  /** Name of the script, without its folder. */
  name: string
  /** Where the list goes; the name of its tag follows from it. */
  file: string
  /** What makes the program read it again; absent: nothing is needed. */
  reload?: string
}

/**
 * A script that downloads a list, and a line that runs it every five minutes. It writes beside the list and renames: no
 * program reads half a file, and an answer that nothing changed (304) leaves the file and its program alone.
 */
export const fetchBlocks = (url: string, { name, file, reload }: Fetched): [script: Block, crontab: Block] => [
  {
    where: `/usr/local/bin/${name}: a script that only root may read (chmod 700): it contains the address with its token.`,
    kind: 'shell',
    text: `#!/bin/sh
set -eu
list='${file}'
status=$(curl -fsS --max-time 120 --etag-compare "$list.etag" --etag-save "$list.etag.new" \\
  --output "$list.new" --write-out '%{http_code}' \\
  '${url}')
if [ "$status" = 200 ]; then
  mv "$list.new" "$list"
  mv "$list.etag.new" "$list.etag"${reload === undefined ? '' : `\n  ${reload}`}
fi`,
  },
  {
    where: `/etc/cron.d/${name}: runs the script every five minutes.`,
    kind: 'crontab',
    text: `*/5 * * * * root /usr/local/bin/${name}`,
  },
]
