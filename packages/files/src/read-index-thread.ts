/** The thread of `readIndexInThread`. It loads as little code as possible: a start may wait for it. */
import { readIndexFile } from './index-file.ts';
import { serveTasks } from './thread.ts';

serveTasks((path: string) => readIndexFile(path));
