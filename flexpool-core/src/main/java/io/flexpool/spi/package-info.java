// SPDX-License-Identifier: Apache-2.0
/**
 * What a part needs: a feature that works for each pool beside the path of its requests, in a module of its own. A part is made by
 * a {@link io.flexpool.spi.PoolPartProvider}, which {@link java.util.ServiceLoader} finds. For those who write parts; an
 * application reads a part through {@link io.flexpool.monitoring.PoolView#view}.
 */
@NullMarked
package io.flexpool.spi;

import org.jspecify.annotations.NullMarked;
