/** A program: takes a folder, alone or shared, says so and keeps it; ends with 1 and the reason when it is refused. */

import { lockFolder } from '../../../../connectors/data-folder/folder-lock.ts'
import { shareFolder } from '../../../../connectors/data-folder/share.ts'

const [how, folder] = process.argv.slice(2)
try {
  if (how === 'hold') lockFolder(folder!)
  else shareFolder(folder!)
  process.stdout.write('held\n')
  setInterval(() => undefined, 1000)
} catch (error) {
  process.stdout.write(`${(error as Error).message}\n`)
  process.exit(1)
}
