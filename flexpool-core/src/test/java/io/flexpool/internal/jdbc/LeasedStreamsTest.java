// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoInteractions;
import static org.mockito.Mockito.verifyNoMoreInteractions;
import static org.mockito.Mockito.when;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.CharArrayReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.io.StringReader;
import java.io.Writer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Streams of columns and of large objects work by the connection, so that after the lease they touch nothing. */
class LeasedStreamsTest {
    private final LeasedConnection lease = DelegationContract.lease();

    private static void refused(ThrowingCallable... calls) {
        for (ThrowingCallable call : calls) {
            assertThatThrownBy(call).isInstanceOf(IOException.class).hasMessage("Connection is closed");
        }
    }

    @Test
    void anInput() throws Exception {
        InputStream target = mock(InputStream.class);
        InputStream stream = LeasedStreams.out(target, lease);
        byte[] bytes = new byte[4];
        when(target.read()).thenReturn(7);
        when(target.read(bytes, 1, 2)).thenReturn(2);
        when(target.skip(5)).thenReturn(5L);
        when(target.available()).thenReturn(3);
        assertThat(stream.read()).isEqualTo(7);
        assertThat(stream.read(bytes, 1, 2)).isEqualTo(2);
        assertThat(stream.skip(5)).isEqualTo(5);
        assertThat(stream.available()).isEqualTo(3);
        stream.mark(9);
        stream.reset();
        stream.close();
        verify(target).mark(9);
        verify(target).reset();
        verify(target).close();
        InputStream late = mock(InputStream.class);
        InputStream held = LeasedStreams.out(late, lease);
        lease.close();
        refused(held::read, () -> held.read(bytes, 1, 2), () -> held.skip(1), held::available, held::reset);
        held.mark(9);
        held.close();
        verifyNoInteractions(late);
    }

    @Test
    void aReader() throws Exception {
        Reader target = mock(Reader.class);
        Reader reader = LeasedStreams.out(target, lease);
        char[] letters = new char[4];
        when(target.read()).thenReturn(7);
        when(target.read(letters, 1, 2)).thenReturn(2);
        when(target.skip(5)).thenReturn(5L);
        when(target.ready()).thenReturn(true);
        assertThat(reader.read()).isEqualTo(7);
        assertThat(reader.read(letters, 1, 2)).isEqualTo(2);
        assertThat(reader.skip(5)).isEqualTo(5);
        assertThat(reader.ready()).isTrue();
        reader.mark(9);
        reader.reset();
        reader.close();
        verify(target).mark(9);
        verify(target).reset();
        verify(target).close();
        Reader late = mock(Reader.class);
        Reader held = LeasedStreams.out(late, lease);
        lease.close();
        refused(
                held::read,
                () -> held.read(letters, 1, 2),
                () -> held.skip(1),
                held::ready,
                () -> held.mark(9),
                held::reset);
        held.close();
        verifyNoInteractions(late);
    }

    /** What closes it writes the rest: refused too, unless it was closed in time. */
    @Test
    void anOutput() throws Exception {
        OutputStream target = mock(OutputStream.class);
        OutputStream stream = LeasedStreams.out(target, lease);
        byte[] bytes = new byte[4];
        stream.write(7);
        stream.write(bytes, 1, 2);
        stream.flush();
        stream.close();
        verify(target).write(7);
        verify(target).write(bytes, 1, 2);
        verify(target).flush();
        verify(target).close();
        OutputStream late = mock(OutputStream.class);
        OutputStream held = LeasedStreams.out(late, lease);
        lease.close();
        refused(() -> held.write(7), () -> held.write(bytes, 1, 2), held::flush, held::close);
        stream.close();
        verifyNoInteractions(late);
        verifyNoMoreInteractions(target);
    }

    @Test
    void aWriter() throws Exception {
        Writer target = mock(Writer.class);
        Writer writer = LeasedStreams.out(target, lease);
        char[] letters = new char[4];
        writer.write(7);
        writer.write(letters, 1, 2);
        writer.write("text", 1, 2);
        writer.flush();
        writer.close();
        verify(target).write(7);
        verify(target).write(letters, 1, 2);
        verify(target).write("text", 1, 2);
        verify(target).flush();
        verify(target, times(1)).close();
        Writer late = mock(Writer.class);
        Writer held = LeasedStreams.out(late, lease);
        lease.close();
        refused(
                () -> held.write(7),
                () -> held.write(letters, 1, 2),
                () -> held.write("text", 1, 2),
                held::flush,
                held::close);
        writer.close();
        verifyNoInteractions(late);
        verifyNoMoreInteractions(target);
    }

    /** A column that the driver holds completely costs no wrapper. */
    @Test
    void aStreamOverMemoryPassesUnchanged() {
        InputStream bytes = new ByteArrayInputStream(new byte[1]);
        Reader text = new StringReader("text");
        Reader letters = new CharArrayReader(new char[1]);
        assertThat(LeasedStreams.out(bytes, lease)).isSameAs(bytes);
        assertThat(LeasedStreams.out(text, lease)).isSameAs(text);
        assertThat(LeasedStreams.out(letters, lease)).isSameAs(letters);
        InputStream aDriversOwn = new ByteArrayInputStream(new byte[1]) {};
        assertThat(LeasedStreams.out(aDriversOwn, lease)).isNotSameAs(aDriversOwn);
    }

    @Test
    void aRequestedStreamOfTheJdkOverADriversOwn() throws Exception {
        InputStream target = mock(InputStream.class);
        InputStream stream = LeasedValues.out(new BufferedInputStream(target), InputStream.class, lease);
        Reader reader = LeasedValues.out(new InputStreamReader(target, UTF_8), Reader.class, lease);
        lease.close();
        refused(stream::read, reader::read);
        stream.close();
        reader.close();
        verifyNoInteractions(target);
    }

    @Test
    void noStreamStaysNone() {
        assertThat(LeasedStreams.out((InputStream) null, lease)).isNull();
        assertThat(LeasedStreams.out((OutputStream) null, lease)).isNull();
        assertThat(LeasedStreams.out((Reader) null, lease)).isNull();
        assertThat(LeasedStreams.out((Writer) null, lease)).isNull();
    }
}
