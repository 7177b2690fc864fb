// SPDX-License-Identifier: Apache-2.0
package io.flexpool.quarkus;

import jakarta.interceptor.InterceptorBinding;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Bound at build time to two methods of Quarkus: the one that creates a datasource, and the one that wraps it for
 * OpenTelemetry.
 */
@InterceptorBinding
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface WrapsPools {}
