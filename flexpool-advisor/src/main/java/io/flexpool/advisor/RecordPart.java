// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import io.flexpool.spi.LeaseSink;
import io.flexpool.spi.PoolPart;

/** Passes a pool's leases to its file recorder, whose close ends the file. */
record RecordPart(FileRecorder recorder) implements PoolPart {
    @Override
    public LeaseSink leases() {
        return recorder;
    }
}
