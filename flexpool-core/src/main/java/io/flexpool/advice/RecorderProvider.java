// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advice;

/**
 * Makes sinks that record into files, for {@code flexpool.record = file}. Found by {@link java.util.ServiceLoader}; needs a
 * public no-argument constructor. Has no state; thread-safe. Of several, the first one is used.
 */
@FunctionalInterface
public interface RecorderProvider {
    /**
     * Begins to record a pool that is being wrapped. Opens no file yet: {@link LeaseSink#take} must not wait for a disk either,
     * and a file that cannot be written ends the recording with a line in the log.
     *
     * @param request what to record, and where
     * @return a recorder of this pool alone
     */
    LeaseSink recorder(RecordRequest request);
}
