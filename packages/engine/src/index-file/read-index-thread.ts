/** The thread of `readIndexInThread`. It loads as little code as possible: a start may wait for it. */
import { serveTasks } from 'toponym-files/thread';
import { readIndexFile } from './file.ts';

serveTasks((path: string) => readIndexFile(path));
