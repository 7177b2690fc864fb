// SPDX-License-Identifier: Apache-2.0
package io.flexpool.advisor;

import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;

/**
 * What of one pool is recorded, and where. Immutable.
 *
 * @param pool its name, which the file's name begins with
 * @param directory where the file will be; made if it does not exist
 * @param mostBytes how many bytes it may take, at least 65,536
 * @param anonymous whether call sites are left out
 * @param facts what a reader should know of the pool, by name: {@code max}, {@code timeoutMillis}, {@code kind}, and of a pool with
 *     classes {@code classes}, {@code classes.<name>.guarantee}, {@code classes.<name>.max}; no secret
 */
record RecordRequest(String pool, Path directory, long mostBytes, boolean anonymous, Map<String, String> facts) {
    RecordRequest {
        Objects.requireNonNull(facts, "facts is null");
        facts = Map.copyOf(facts);
    }
}
