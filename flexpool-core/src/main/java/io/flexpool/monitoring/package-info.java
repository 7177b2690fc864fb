// SPDX-License-Identifier: Apache-2.0
/**
 * A pool as backends, endpoints and tools see and switch it ({@link io.flexpool.monitoring.PoolView},
 * {@link io.flexpool.monitoring.PoolControl}), its figures and health, and the service provider interface of metrics backends.
 */
@NullMarked
package io.flexpool.monitoring;

import org.jspecify.annotations.NullMarked;
