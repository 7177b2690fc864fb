// SPDX-License-Identifier: Apache-2.0
/** flexpool in Spring Boot: wraps every data source bean backed by a pool. */
@NullMarked
package io.flexpool.spring;

import org.jspecify.annotations.NullMarked;
