// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/**
 * The target and the content of one pool's recording. Immutable.
 *
 * @param pool the pool's name, with which the file's name begins
 * @param directory the directory of the file; created if missing
 * @param mostBytes the maximum size in bytes, at least 65,536
 * @param anonymous whether call sites are omitted
 * @param facts the header entries: {@code max}, {@code timeoutMillis}, {@code kind}, and for a pool with classes
 *     {@code classes}, {@code classes.<name>.guarantee}, {@code classes.<name>.max}; no secrets
 */
record RecordRequest(String pool, Path directory, long mostBytes, boolean anonymous, Map<String, String> facts) {
    RecordRequest {
        Objects.requireNonNull(facts, "facts is null");
        facts = Map.copyOf(facts);
    }
}
