// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.advice.LeaseSink;
import io.flexpool.advice.RecordRequest;
import io.flexpool.advice.RecorderProvider;

/** Records into files of this module's format. Found by the service loader. Thread-safe. */
public final class FileRecorderProvider implements RecorderProvider {
    /** For the service loader. */
    public FileRecorderProvider() {}

    @Override
    public LeaseSink recorder(RecordRequest request) {
        return new FileRecorder(request);
    }
}
