/** How processes of this program keep their heaps: options of V8, given where each is started (ADR 274). */

/** Batches of 40,000 records outlive a young generation of the usual size and would be copied over and over. */
export const HEAP_OF_JOBS = ['--max-semi-space-size=32']

/**
 * Read by the C library on Linux: blocks of rows from this size on, in bytes, go back to the system when they are freed.
 * By default it raises the limit to the largest block that it has seen, and keeps 150 MB of a job that has caught up.
 */
export const MEMORY_OF_JOBS = { MALLOC_MMAP_THRESHOLD_: '1000000' }

/**
 * The API answers with buffers, which V8 frees with its objects. A small young generation frees them early, and old ones
 * wait until there is as much again: otherwise all of the heap is looked through every ten pages of 600 KB.
 *
 * Nothing is put among the old ones at once: V8 does that with what once outlived a collection, as all does that a busy
 * start makes. Every request then leaves something old, and what it points to stays with it: 45 to 67 us of CPU for a small
 * answer, and not 30, until the process ends.
 */
export const HEAP_OF_API = [
  '--max-semi-space-size=16',
  '--heap-growing-percent=100',
  '--no-allocation-site-pretenuring',
]
