/** The process of `runInProcess`: runs one task in a thread, so that it can end at any moment. */
import type { FromProcess, ProcessTask, SentError } from './process.ts';
import { runInThread } from './thread.ts';

// terminals and service managers signal both processes, and the other one decides
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1']) process.on(signal, () => {});
process.on('disconnect', () => process.exit()); // the other process has ended

process.once('message', ({ file, input }: ProcessTask) => {
  const send = (message: FromProcess) => process.send?.(message);
  runInThread(new URL(file), input as never, { onProgress: (progress) => send({ progress }) }).then(
    (result) => send({ result }),
    (error: Error) => send({ error: sentError(error) }),
  );
});

function sentError(error: Error): SentError {
  const { name, message, stack, cause } = error;
  return { message, cause: cause instanceof Error ? sentError(cause) : undefined, fields: { ...error, name, stack } };
}
