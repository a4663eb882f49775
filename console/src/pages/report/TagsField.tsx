import { TagsInput } from '@mantine/core'

type Props = { value: readonly string[]; change: (tags: string[]) => void; error?: string | undefined }

/** Tags, each closed by Enter or a comma. */
export function TagsField({ value, change, error }: Props) {
  return (
    <TagsInput
      label="Tags"
      description="Press Enter or type a comma after each tag."
      value={[...value]}
      // Pasted or unfinished text may hold commas as well.
      onChange={(tags) => change([...new Set(tags.flatMap(split))])}
      error={error}
      data-param="tags"
      maxTags={100}
      splitChars={[',', '\n']}
      acceptValueOnBlur
      clearable
      clearButtonProps={{ 'aria-label': 'Clear the tags' }}
    />
  )
}

const split = (tag: string): string[] =>
  tag
    .split(/[,\n]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
